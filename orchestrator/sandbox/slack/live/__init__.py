"""A Slack workspace with life in it: an app is told what people do, and says things itself, by Slack's documentation.

https://docs.slack.dev/apis/events-api · https://docs.slack.dev/apis/events-api/using-socket-mode
https://docs.slack.dev/authentication/installing-with-oauth · https://docs.slack.dev/interactivity · https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

from .blocks import addressed
from .deliveries import Delivery
from .inhabited import Inhabited
from .server import LiveSlack
from .state import Post

__all__ = ["Delivery", "Inhabited", "LiveSlack", "Post", "addressed"]
