"""A Slack workspace with life in it: an app is told what people do, and says things itself, by Slack's documentation.

https://docs.slack.dev/apis/events-api · https://docs.slack.dev/apis/events-api/using-socket-mode
https://docs.slack.dev/interactivity · https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

from .blocks import addressed
from .deliveries import Delivery
from .server import LiveSlack
from .state import Post

__all__ = ["Delivery", "LiveSlack", "Post", "addressed"]
