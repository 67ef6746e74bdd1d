"""Parameters that services add to links to recognize the reader or the campaign; they do not select what is shown.

Checked on 2026-11-22. Sources: the documentation of each publisher for its advertisers. A name belongs here if the
page is the same without it, and if no other use of the name is known: not `ref`, `source`, `si`, `cid`.
"""

# Publisher: complete names, and beginnings of names, which end with "*".
PUBLISHERS = {
    "Google Analytics": "utm_* _ga _gl",
    "Google Ads": "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid",
    "Meta": "fbclid igshid igsh fb_action_ids fb_action_types fb_source",
    "Microsoft Advertising": "msclkid",
    "X": "twclid",
    "TikTok": "ttclid",
    "LinkedIn": "li_fat_id",
    "Pinterest": "epik",
    "Snapchat": "ScCid sccid",
    "Reddit": "rdt_cid",
    "Quora": "qclid",
    "Yandex": "yclid ymclid _openstat",
    "Mailchimp": "mc_cid mc_eid",
    "HubSpot": "_hsenc _hsmi __hssc __hstc __hsfp hsCtaTracking",
    "Marketo": "mkt_tok",
    "Klaviyo": "_kx",
    "Vero": "vero_id vero_conv",
    "Omeda": "oly_anon_id oly_enc_id",
    "Drip": "__s",
    "ActiveCampaign": "vgo_ee",
    "Adobe": "s_kwcid ef_id",
    "Outbrain": "dicbo obOrigUrl",
    "Taboola": "tblci",
    "Branch": "_branch_match_id _branch_referrer",
    "Wicked Reports": "wickedid",
    "Impact": "irclickid",
    "Matomo": "mtm_* matomo_* pk_campaign pk_cid pk_content pk_keyword pk_kwd pk_medium pk_source piwik_*",
    "Webtrekk": "wt_mc wt_zmc",
    "AT Internet": "xtor at_campaign at_medium",
    "Piano": "at_custom*",
}
NAMES = frozenset(name for names in PUBLISHERS.values() for name in names.split() if not name.endswith("*"))
PREFIXES = tuple(name[:-1] for names in PUBLISHERS.values() for name in names.split() if name.endswith("*"))
