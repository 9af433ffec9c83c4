"""A Slack workspace with life in it: an app is told what people do, and says things itself, by Slack's documentation.

https://docs.slack.dev/apis/events-api · https://docs.slack.dev/apis/events-api/using-socket-mode
https://docs.slack.dev/authentication/installing-with-oauth · https://docs.slack.dev/interactivity · https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

from tests.pretend.slack.blocks import addressed
from tests.pretend.slack.deliveries import Delivery
from tests.pretend.slack.inhabited import Inhabited
from tests.pretend.slack.server import LiveSlack
from tests.pretend.slack.state import Post

__all__ = ["Delivery", "Inhabited", "LiveSlack", "Post", "addressed"]
