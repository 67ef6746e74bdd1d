"""VK: `https://vk.com/away.php?to=<escaped URL>`.

Links of posts have this form.

Source: links of posts on vk.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("vk", ("away.vk.com", "m.vk.com", "vk.com"), from_query("to", path="/away.php"))
