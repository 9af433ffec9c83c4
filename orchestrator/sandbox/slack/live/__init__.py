"""A Slack workspace with life in it: an app is told what people do, and says things itself, by Slack's documentation.

https://docs.slack.dev/apis/events-api · https://docs.slack.dev/apis/events-api/using-socket-mode
https://docs.slack.dev/authentication/installing-with-oauth · https://docs.slack.dev/interactivity · https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

from orchestrator.sandbox.slack.live.blocks import addressed
from orchestrator.sandbox.slack.live.deliveries import Delivery
from orchestrator.sandbox.slack.live.inhabited import Inhabited
from orchestrator.sandbox.slack.live.server import LiveSlack
from orchestrator.sandbox.slack.live.state import Post

__all__ = ["Delivery", "Inhabited", "LiveSlack", "Post", "addressed"]
