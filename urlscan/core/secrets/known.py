"""Parameter names and token prefixes that services use for secrets.

`docs/secrets.md` is generated from these two tables.  Masking uses all rows; U301 and U304 also check whether a match
is a real secret.
"""

import re

from urlscan.core.record import NamedTuple


class Parameter(NamedTuple):
    """The name of a parameter whose value is a secret.

    Attributes:
        name: its words in lowercase, separated by spaces; in a URL they are joined by "_", "-", "." or nothing, in any
            case of letters.
        shortest: the minimum length of the value in characters.  Generic names require long values: `?token=abc` and
            `sig=0` are not secrets.
        publisher: the services that use the name.
        is_ending: whether other words may precede the name.
    """

    name: str
    shortest: int
    publisher: str
    is_ending: bool = False


class Token(NamedTuple):
    """A token that is recognized by its prefix.

    Attributes:
        prefix: an expression for the prefix, whose first character is a letter.
        rest: an expression for the rest, with the required length.
        example: the form in documentation.
        publisher: the service that issues it.
        reported: whether a rule reports it; a token that is only masked may be public.
    """

    prefix: str
    rest: str
    example: str
    publisher: str
    reported: bool = True


# The minimum length of the values, the publisher, and the names; "*" before a name allows other words before it.
# From unambiguous names to ambiguous ones, and sessions, which end before the URL is read.
_PARAMETERS = (
    (8, "OAuth 2.0 (RFC 6750 section 2.3)", "access token"),
    (8, "OAuth 2.0 (RFC 6749 section 6)", "refresh token"),
    (8, "OpenID Connect", "id token"),
    (8, "OAuth 2.0 (RFC 6749 section 2.3.1)", "client secret"),
    (8, "OAuth 2.0 (RFC 7521 section 4.2)", "client assertion"),
    (8, "OAuth 1.0 (RFC 5849 section 2.2)", "oauth token"),
    (8, "OAuth 1.0 (RFC 5849 section 2.1)", "oauth token secret"),
    (8, "OAuth 1.0 (RFC 5849 section 3.1)", "oauth signature"),
    (8, "OAuth 1.0 (RFC 5849 section 2.2)", "oauth verifier"),
    (8, "OAuth 1.0", "consumer secret"),
    (8, "GitLab", "private token, job token, feed token"),
    (8, "Azure DevOps, GitHub", "personal access token"),
    (8, "many services", "api key, x api key, api token, api secret"),
    (8, "Facebook, WeChat", "app secret"),
    (8, "Facebook", "appsecret proof"),
    (8, "many services", "auth token, auth key, bearer token, session token, security token, user token"),
    (8, "Telegram, many services", "secret token"),
    (8, "many services", "secret key"),
    (8, "Amazon Web Services", "secret access key"),
    (8, "many services", "access key, private key, shared secret"),
    (8, "Azure Service Bus", "shared access key"),
    (8, "Azure Storage", "account key"),
    (8, "Azure API Management", "subscription key"),
    (8, "many services", "webhook secret, encryption key"),
    (8, "Amazon S3, signature version 2", "AWS access key id"),
    (8, "Alibaba Cloud", "OSS access key id"),
    (8, "Amazon Web Services, signature version 4", "X Amz signature, X Amz credential, X Amz security token"),
    (8, "Google Cloud Storage", "X Goog signature, X Goog credential"),
    (8, "Alibaba Cloud", "X Oss signature"),
    (8, "Tencent Cloud", "X Cos security token"),
    (8, "Amazon S3, CloudFront, Google Cloud Storage", "signature"),
    (6, "JDBC, forms", "*password"),
    (6, "forms", "passwd"),
    (6, "SRT, forms", "passphrase"),
    (6, "ODBC, forms", "pwd"),
    (20, "Azure Storage (shared access signature)", "sig"),
    (16, "many services", "*token"),
    (16, "Firebase, many services", "auth"),
    (16, "many services", "authorization, *secret"),
    (16, "Java (`jsessionid`), many services", "*session id"),
    (16, "PHP (`PHPSESSID`)", "*sess id"),
    (16, "many services", "session key"),
    (20, "phpBB", "sid"),
    (16, "SAML 2.0 (Bindings section 3.4)", "SAMLResponse"),
    (16, "SAML 2.0 (Bindings section 3.6)", "SAMLart"),
    (16, "many services", "credential, credentials, jwt"),
    (16, "Shopify, many services", "hmac"),
    (8, "forms", "pass"),
)
PARAMETERS = tuple(
    Parameter(name.removeprefix("*"), shortest, publisher, name.startswith("*"))
    for shortest, publisher, names in _PARAMETERS
    for name in names.split(", ")
)

# Names of parameters of a path, where "?" ends the value: "/a;jsessionid=0A1B?x=1".
SESSIONS = ("session id", "sess id")
# Words before "token" that name a position in a list of results. It grants no access, and tells the pages of a list
# apart. A token against forged requests (`csrf_token`) is a secret: a site accepts a forged request that contains it.
POSITIONS = ("continuation", "cursor", "next", "page", "pagination", "prev", "previous", "resumption", "scroll", "sync")

_WORD = "[A-Za-z0-9]"
_HEX = "[0-9a-f]"
_SLACK_PATHS = ("services", "workflows", "triggers")
_SLACK = rf"hooks\.slack(?:-gov)?\.com/(?:{'|'.join(_SLACK_PATHS)})/"
# The version of the API may be part of the path: "/api/v10/webhooks/".
_DISCORD = r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/"

TOKENS: tuple[Token, ...] = (
    Token("gh[pousr]_", _WORD + "{20,}", "ghp_, gho_, ghu_, ghs_, ghr_", "GitHub"),
    Token("github_pat_", r"\w{20,}", "github_pat_", "GitHub"),
    Token("gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-", r"[\w-]{16,}", "glpat-, gldt-, glrt-, glcbt-", "GitLab"),
    Token("xox[abeoprs]-", "[A-Za-z0-9-]{10,}", "xoxb-, xoxp-, xoxa-, xoxs-", "Slack"),
    Token("xapp-", "[A-Za-z0-9-]{20,}", "xapp-", "Slack"),
    Token(_SLACK, r"[\w/-]{20,}", ", ".join(f"hooks.slack.com/{path}/" for path in _SLACK_PATHS), "Slack"),
    *(
        Token(re.escape(host) + _DISCORD, r"\d+/[\w-]{20,}", f"{host}discord.com/api/webhooks/", "Discord")
        for host in ("", "canary.", "ptb.")
    ),
    Token(r"bot(?=\d)", r"\d{6,12}(?::|%3[Aa])[\w-]{30,}", "bot123456:AA", "Telegram"),
    Token("A(?:KIA|SIA)", "[0-9A-Z]{16}(?![0-9A-Za-z])", "AKIA, ASIA", "Amazon Web Services"),
    Token("AIza", r"[\w-]{35}", "AIza", "Google"),
    Token(r"ya29\.", r"[\w-]{20,}", "ya29.", "Google"),
    Token("GOCSPX-", r"[\w-]{20,}", "GOCSPX-", "Google"),
    Token("sk_(?:live|test)_", _WORD + "{16,}", "sk_live_", "Stripe"),
    Token("rk_(?:live|test)_", _WORD + "{16,}", "rk_live_", "Stripe"),
    Token("whsec_", _WORD + "{20,}", "whsec_", "Stripe"),
    Token(r"SG\.", r"[\w-]{16,}\.[\w-]{16,}", "SG.", "SendGrid"),
    Token("key-(?=[0-9a-f])", _HEX + "{32}", "key-", "Mailgun"),
    Token("SK(?=[0-9a-f])", _HEX + "{32}", "SK", "Twilio"),
    Token("npm_", _WORD + "{36}", "npm_", "npm"),
    Token("pypi-Ag", r"[\w-]{40,}", "pypi-Ag", "PyPI"),
    Token("rubygems_", _HEX + "{48}", "rubygems_", "RubyGems"),
    Token("dckr_pat_", r"[\w-]{20,}", "dckr_pat_", "Docker"),
    Token("do[opr]_v1_", _HEX + "{64}", "dop_v1_, doo_v1_, dor_v1_", "DigitalOcean"),
    Token(r"hv[bsr]\.", r"[\w-]{20,}", "hvs., hvb., hvr.", "HashiCorp Vault"),
    Token("shp(?:at|ca|pa|ss)_", "[0-9a-fA-F]{32}", "shpat_, shpca_, shppa_, shpss_", "Shopify"),
    Token("sq0(?:atp|csp)-", r"[\w-]{22,}", "sq0atp-, sq0csp-", "Square"),
    Token("sk-", r"(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[A-Z])[\w-]{32,}", "sk-, sk-proj-, sk-ant-", "OpenAI, Anthropic"),
    Token("hf_", _WORD + "{30,}", "hf_", "Hugging Face"),
    Token("dapi(?=[0-9a-f])", _HEX + "{32}", "dapi", "Databricks"),
    Token("ATATT3", r"[\w=-]{40,}", "ATATT3", "Atlassian"),
    Token("lin_api_", _WORD + "{32,}", "lin_api_", "Linear"),
    Token("ntn_", _WORD + "{40,}", "ntn_", "Notion"),
    Token("NRAK-", "[A-Z0-9]{27}", "NRAK-", "New Relic"),
    Token("gls?[ac]_", r"[\w=+/]{32,}", "glsa_, glc_", "Grafana"),
    Token(r"dp\.(?:pt|st|ct)\.", r"[\w.-]{32,}", "dp.pt., dp.st.", "Doppler"),
    Token("pscale_(?:tkn|pw|oauth)_", r"[\w.-]{32,}", "pscale_tkn_, pscale_pw_", "PlanetScale"),
    Token("PMAK-", "[0-9a-f-]{40,}", "PMAK-", "Postman"),
    Token("pul-", _HEX + "{40}", "pul-", "Pulumi"),
    Token("sntry[su]_", r"[\w=+/]{40,}", "sntrys_, sntryu_", "Sentry"),
    Token("sbp_", _HEX + "{40}", "sbp_", "Supabase"),
    Token("tskey-", r"[\w-]{20,}", "tskey-", "Tailscale"),
    Token(r"eyJ", r"[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}", "eyJ...eyJ...", "JSON Web Token (RFC 7519)", False),
)
