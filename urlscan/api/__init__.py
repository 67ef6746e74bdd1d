"""The public functions: `texts` find and judge the URLs of a text, `urls` work on single URLs."""
