"""The notations of templates, formats and patterns: one table.

`http://h/{id}`, `http://h/%s` and `<a href="{% url 'x' %}">` become URLs when a program or a reader fills them in;
`https://h/[^/]+/x` describes many URLs.  Only RFC 6570 defines a grammar, so the table has the notations that sources
and documentation use.  To add one, add an entry: its examples are tests.  `templates.py` searches for the notations.

Every pattern has a bounded length or cannot contain its own opener, so that searching is linear.
"""

from urlscan.core.record import NamedTuple
from urlscan.core.typing import Literal
from urlscan.uri.grammar.characters import BAD_PERCENT

# Where a notation is recognized:
#   expression   in a URL and in the markup around it; blanks and quotation marks inside belong to it
#   attribute    the same, in the value of an attribute only
#   field        in any URL; a name without blanks
#   directive    in any URL, where printf's directives count
#   undelimited  in a URL whose extent no markup fixes: a string, a comment, prose
#   component    the same, and in delimited URLs where it is all of a path, query or fragment
#   pattern      a sign that the text is a regular expression or a glob
#   bare pattern the same, in a URL whose extent no markup fixes
Scope = Literal["expression", "attribute", "field", "directive", "undelimited", "component", "pattern", "bare pattern"]


class Notation(NamedTuple):
    """A notation for text that is filled in or matched later.

    Attributes:
        name: its name, with the languages that use it.
        scope: where it is recognized.
        pattern: matches one, from its first to its last character.
        matches: texts that match as a whole.
        others: texts without a match.
    """

    name: str
    scope: Scope
    pattern: str
    matches: tuple[str, ...]
    others: tuple[str, ...] = ()


# One level of nested brackets.
_BRACES = r"\{(?>(?:[^{}]+|\{[^{}]*\})*)\}"
_PARENTHESES = r"\((?>(?:[^()]+|\([^()]*\))*)\)"
# Elements of HTML, past and present. In the place of a URL they are mistakes; other elements belong to templates.
_ELEMENTS = (
    "a|abbr|acronym|address|applet|area|article|aside|audio|b|base|basefont|bdi|bdo|bgsound|big|blink|blockquote|body"
    "|br|button|canvas|caption|center|cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em"
    "|embed|fieldset|figcaption|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hgroup|hr|html|i|iframe|img"
    "|input|ins|kbd|keygen|label|legend|li|link|main|map|mark|marquee|math|menu|menuitem|meta|meter|nav|nobr|noembed"
    "|noframes|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|pre|progress|q|rb|rp|rt|rtc|ruby|s"
    "|samp|script|search|section|select|slot|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td"
    "|template|textarea|tfoot|th|thead|time|title|tr|track|tt|u|ul|var|video|wbr|xmp"
)
# HTML tags: "http://h/<br>" ends before the tag, "http://h/<id>" continues.
_TAGS = (
    r"(?:a|b|big|blockquote|br|center|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|li|ol|p|pre|small|span|strong"
    r"|sub|sup|table|td|th|tr|tt|u|ul|wbr)"
)
# "{6D5140C1-7436-...}" is a GUID, which is data.
_NO_GUID = r"(?![0-9A-Fa-f]{8}-)"
# Perl and sed take almost any character as a delimiter.
_RANGES = r"(?:a-z|A-Z|0-9|a-f|A-F|[01]-[1-9])"

# Rows of name, pattern, texts that match as a whole, and texts without a match; two blanks separate texts.
_TABLE: dict[Scope, tuple[tuple[str, ...], ...]] = {
    # expressions of template languages
    "expression": (
        (
            "Jinja, Django, Liquid, Twig, Handlebars, Vue, Go, Hugo shortcodes; GitHub expressions",
            r"\$?\{\{(?>(?:[^{}]+|\{(?!\{)|\}(?!\}))*)\}\}\}?",
            '{{x}}  {{ url_for("x") }}  {{ .Version }}  {{x|urlencode}}  {{{t "a b"}}}  {{< ref "a.md" >}}'
            "  ${{ github.sha }}",
            "{{ x  { {x} }",
        ),
        (
            "Jinja, Django, Liquid and Twig statements",
            r"\{%(?>(?:[^{%]+|\{(?!%)|%(?!\}))*)%\}",
            "{% url 'x' %}  {%- static \"a.css\" -%}  {% if a > b %}",
            "{% url  {%s}",
        ),
        ("Jinja comments", r"\{#(?>(?:[^{#]+|\{(?!#)|#(?!\}))*)#\}", "{# a b #}", "{#a}"),
        (
            "ERB, EJS, ASP, JSP, Mako",
            r"<%(?>(?:[^<%]+|<(?!%)|%(?!>))*)%>",
            '<%= a %>  <%=response.encodeURL("/x")%>  <% a < b %>',
            "<%= a  < % a %>",
        ),
        ("FreeMarker", r"</?[#@][a-z][\w.]*(?:\s[^<>]{0,400})?/?>", "<#if a??>  </#if>  <@a.b c=1/>", "<#  <a>  <#A>"),
        ("Razor, Twirl", r"@[A-Za-z][\w.]{0,60}\(\"[^\"\n]{0,200}\"\)", '@locate("a.css")', '@locate(a)  @("a")'),
        ("Text::Xslate", r"<:(?>(?:[^<:]+|<(?!:)|:(?!>))*):>", "<: $item.url :>", "<:  <a:b>"),
        (
            "PHP and XML processing instructions",
            r"<\?(?>(?:[^<?]+|<(?!\?)|\?(?!>))*)\?>",
            '<?php echo $a->b ?>  <?= "x" ?>',
            "<?php  a<b?",
        ),
        (
            "server-side includes",
            r"<!--#(?>(?:[^-<]+|<(?!!--#)|-(?!->))*)-->",
            '<!--#echo var="X" -->',
            "<!-- a -->  <!--#echo",
        ),
        ("Template Toolkit", r"\[%(?>(?:[^\[%]+|\[(?!%)|%(?!\]))*)%\]", "[% a.b %]", "[%a]"),
        ("AngularJS, Django's verbatim form", r"\{\$(?>(?:[^{$]+|\{(?!\$)|\$(?!\}))*)\$\}", "{$ a.b $}", "{$a}"),
        (
            "shells, JavaScript, Kotlin, Scala, JSP, Mako",
            rf"\${_BRACES}",
            '${X}  ${X:-"a b"}  ${f({a: 1})}  ${}',
            "${X  $ {x}",
        ),
        ("Ruby, CoffeeScript", rf"#(?=\{{[^{{}}]*[\s\"'@\[(]){_BRACES}", '#{@g["n"]}  #{a b}  #{f(x)}', "#{  #a"),
        (
            "Velocity, Cheetah, Templetor: calls and indexes",
            r"(?<![\w$])\$[!:]?[A-Za-z_][\w.]{0,80}(?:\[[^\[\]\n]{0,200}\]|\([^()\n]{0,200}\))",
            '$x.url("a b")  $a.b[:a.rfind("/")]  $:f("a", b)',
            "$x  $x.y  $x (a)  Outer$Inner(int)",
        ),
        ("command substitution, make variables", rf"\${_PARENTHESES}", "$(pwd)  $(uname -s)", "$(x  (x)"),
        (
            "backtick command substitution",
            r"(?<=[/=:@.?&-])`[^`\n]{1,200}`|(?<=\w)`[a-z]{2,12}`(?=[/:.])",
            "",
            "`pwd`  c`m/x",
        ),
        ("Swift", r"\\\((?>(?:[^()\\\n]+|\([^()\\\n]*\))*)\)", r'\(id)  \(f("x"))', r"\(a\)"),
        (
            "calls, indexes and operators in braces: Python, C#, XSLT, JSX",
            rf"\{{{_NO_GUID}[$@*.]{{0,2}}[A-Za-z_][\w.:/@$-]{{0,80}}(?:[\[( |!][^{{}}\n]{{0,200}})?\}}",
            "{x[\"a\"]}  {quote(name, safe='')}  {substring-before(a/b, '.xml')}  {@href}  {i + 1}  {name!r:>10}",
            "{6D5140C1-7436-11CE-8034-00AA006009FA}  { a }  {}",
        ),
    ),
    # elements of template languages
    "attribute": (
        (
            "elements that HTML does not have; a closing one alone is an anchor",
            rf"<(?!/?(?i:{_ELEMENTS})[\s/>])(?:(?<!#<)/)?[A-Za-z][\w.:-]{{0,60}}"
            r"(?:/?|(?:\s|(?==['\"]))(?>(?:[^<>]{1,400}+|<%[^%<>]{0,200}%>){0,9}))>",
            "<TMPL_VAR NAME=\"x\">  <roundcube:var name='a:b' />  <x:var/>  <x:a b='<%=c%>' />  <x:a='b'>",
            '<script src="x">  <tt>  </a>  <TMPL_VAR  #</directory>  <http://h/a b>  <a/b>',
        ),
        (
            "Drupal, MailPoet",
            r"(?<![A-Za-z0-9])\[(?=[^][]*[g-z_])[a-z]\w{1,40}(?::[a-z]\w{1,40}){1,5}\]",
            "[site:url]  [link:a_b]",
            "[::1]  [ab]  [fe80:abcd]  Kq8[abc:xyz]",
        ),
        (
            "calls and parentheses of Razor; a quotation mark may cut one",
            rf"(?<![^\s\"'/?&=#-])@(?!tcp\()(?:[A-Za-z][\w.]{{0,60}})?\((?>(?:[^()]+|{_PARENTHESES})*)(?:\)|(?<=[^\w)])\Z)",
            '@(x)  @Format(a, b)  @("/" + f(g(x)))  @Url.Action("a")  @(x[  @("/"  @(x +',
            "jo@h  @user  jo@h(a)  !@(h:1)  =@tcp(h:1)  @(a",
        ),
        (
            "strings that a program joins, with markup in them",
            r"'[ ]\+[ ][^'\"<>\n]{1,200}[ ]\+[ ]'",
            "' + url + '  ' + page.url() + '",
            "' + '  '+a+'  it's + 'a'",
        ),
    ),
    # fields: names without blanks
    "field": (
        ("Ansible, Apache, Python", r"%\{[^{}\s]{1,80}\}", "%{REMOTE_HOST}", "%{a b}"),
        (
            "names and numbers in braces, format fields, RFC 6570",
            rf"\{{{_NO_GUID}(?:\d{{0,3}}(?:[.!:\[][^{{}}\s]{{0,60}})?|[+#./;?&=,|!@$]?[A-Za-z_][^{{}}\s<>\"\\^`]{{0,80}})\}}",
            "{x}  {0}  {}  {x:04d}  {0.port}  {?dns}  {+path}  {?x,y*}  {:?}",
            "{6D5140C1-7436-11CE-8034-00AA006009FA}  { a }",
        ),
        (
            "an expression cut by a closing quotation mark or a space",
            r"\{[A-Za-z_][\w.]{0,80}(?:\Z|[\[(][^{}\r\n]{0,200}(?:\}|\Z))|(?:\{[{%]|\[%)[^{}%\]]*\Z"
            r"|<[%?][^<>%?]*\Z|<[#@][a-z][\w.]*\s[^<>]*\Z|<\?(?:php\b|=)(?>(?:[^<?]+|\?(?!>))*)\Z",
            "{x  {x[  {x.get('a'  {{ x  {% url  <%= x  <@s.a b=",
            "{1  x}  <tt",
        ),
        ("alternatives", r"\([\w.?/*&;-]{1,40}(?:\|[\w.?/*&;-]{1,40}){1,20}\)", "(a|b|c)  (?x|/y)", "(a)  a|b"),
        ("elision", r"\[\.{2,3}\]", "[...]  [..]", "..."),
        ("Python's named directives", r"%\([^()\s]{1,80}\)[A-Za-z]?", "%(x)s  %(x)", "%(a b)"),
        # "name%%3Ddobbins" is a mistake in RFC 1630, a bad escape.
        ("doubled percent signs", r"%%[A-Za-z_]\w{0,63}+%%", "%%x%%", "%%3D%%  %%x"),
        # "%C3abc%20" holds two escapes.
        (
            "batch files and most macro languages: a name between percent signs",
            rf"{BAD_PERCENT}(?:[A-Za-z_][\w-]{{2,63}}+|_)%(?![0-9A-Fa-f]{{2}})|%[A-Z_][A-Z0-9_-]{{2,63}}+%(?![0-9A-Fa-f]{{2}})",
            "%NAME%  %value%  %DATE%  %OTP-VSN%  %_%",
            "%20%  %C3abc%20  %zz",
        ),
        (
            "autoconf",
            r"@[A-Z][A-Z0-9_]{1,63}@|(?<=[/=?&-])@[a-z][a-z0-9_]{1,63}@(?=[/?&.-]|\Z)",
            "@VERSION@",
            "jo@h@x  @-HOSTNAME-@  @V",
        ),
        # After a word this is not a variable: "antqgu$qq3$1@h" is a message identifier.  "?$top=5" in OData and
        # "/$FILE/" in Lotus Domino are literal.
        (
            "shells, Perl, PHP, Kotlin",
            r"(?<![\w$])\$(?!(?i:FILE)/)(?:[A-Za-z_]\w{0,63}+(?!=)|\d\b)",
            "$X  $1  $HOME",
            "qq3$1  $FILE/y  ?$top=5  $$",
        ),
        (
            "words in angle brackets",
            rf"<(?!{_TAGS}[\s/>])[A-Za-z][\w .|+-]{{0,63}}>",
            "<id>  <relative url>",
            "<br>  <a",
        ),
        # Excludes "filter[x]=1" and the "[v1.x]" of RFC 3986 section 3.2.2.
        (
            "words in square brackets",
            r"(?<![\w\]%])\[(?!v[0-9A-Fa-f]+\.)[A-Za-z][\w .-]{0,63}\]|\[:<?[A-Za-z]{1,20}>?\]"
            r"|\[[A-Za-z]{1,20}(?::pass(?:word)?)?@\]",
            "[x]  [:port]  [user@]  [user:pass@]",
            "[root:hunter@]  filter[x]=1  [v1.x]  [2001:db8::1]  [ST_rn=ps]",
        ),
        ("asterisks for hidden text", r"\*{3,64}", "***", "**"),
        (
            "hostport of RFC 1738",
            r"(?<![\w.-])host(?:name)?:port\b",
            "host:port  hostname:port",
            "host:80  somehost:aport",
        ),
        ("Erlang and Prolog, for a host or port", r"(?<=:)~\d{0,2}[a-z]|(?<=//)~[a-z]", "", "/~s/  ~w"),
    ),
    # directives of formats.  Two hexadecimal digits after "%" are an escape ("%3D", "%20d", "%5d"), unless a zero flag
    # shows the format ("%04d"; %01 to %09 are controls).
    "directive": (
        ("printf with a zero flag", r"%0[1-9]\d?(?:ll?)?[diouxX](?![A-Za-z0-9])", "%04d  %02x", "%20d"),
        ("printf", r"%(?:s|d(?![0-9A-Fa-f]))", "%s  %d", "%dd  %3D"),
        ("printf with a flag", r"%[-+#]\d{0,3}(?:\.\d{1,3})?[a-z]", "%-5d  %+d  %#x", "%5d"),
        ("printf with a length", r"%(?:ll?|hh?|z)[diux](?![A-Za-z0-9])", "%ld  %llu  %zu", "%lda"),
        (
            "printf with a precision or another conversion",
            r"%(?:[1-9]?\.\d{1,3}[dfgs]|[1-9]?[giorsuvqx])(?![A-Za-z0-9])",
            "%5.2f  %.3d  %v  %q",
            "%u2019  %.html  %_sec",
        ),
        ("printf with an argument's number", r"%[1-9]\d?\$[-+0#]?\d{0,3}[a-zA-Z]", "%1$s  %2$04d", "%1$"),
        ("strftime", r"%Y(?:[-/.]?%[a-zA-Z]){1,6}", "%Y/%m/%d  %Y%m%d", "%Y"),
    ),
    # not recognized in a destination, whose extent is known
    "undelimited": (
        (
            "cURL's ranges",
            r"\[(?:\d{1,8}-\d{1,8}|[a-zA-Z]-[a-zA-Z])(?::\d{1,4})?\]",
            "[1-9]  [001-100]  [a-z]  [000-100:2]",
            "[draft-2]  [1]",
        ),
        (
            "lists in braces: cURL, shells",
            r"\{[\w.-]{0,40}(?:,[\w.-]{0,40}){1,40}\}",
            "{a,b}  {2033,3207,5321}  {1,2}",
            "{a}  {a b}",
        ),
        (
            "optional parts of a synopsis",
            r"\[(?![0-9A-Fa-f:.]+\])[#@/?:.&](?>[^\[\]\s{}]{0,60})(?:\[[^\[\]\s{}]{1,60}\][^\[\]\s{}]{0,60})?\]",
            "[#revision]  [@host]  [/path]  [?type=x]  [?line=[true|false]]",
            "[x]  [2001:db8::1]  [::ffff:192.0.2.1]",
        ),
        # RFC 9562 section 5 writes the layout of a UUID as xxxxxxxx-xxxx-Mxxx-Nxxx-xxxxxxxxxxxx.
        (
            "a UUID to fill in",
            r"(?i:x{8}-x{4}-[xm1-8]x{3}-[xyn89ab]x{3}-x{12})",
            "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx  XXXXXXXX-XXXX-4XXX-YXXX-XXXXXXXXXXXX",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ),
    ),
    "component": (
        # An escape that lost a digit leaves "%2" or "%C", which is a mistake; between delimiters these are names.
        (
            "a name, letter or number that does not begin an escape",
            rf"{BAD_PERCENT}(?:[G-Zg-z_](?!\w)|[A-Z_][A-Z0-9_]{{2,63}}+(?![a-z])|[a-z]{{3,64}}(?!\w)|~[a-z]{{0,8}}\d|[@*])"
            rf"|(?:(?<=[/=:])|\A)%[0-9A-Fa-f](?=[/&?#]|\Z)",
            "%S  %w  %HOST_IP  %name  %@  %~dp0  %*  %_",
            "%20  %%3D  %.html  %u2019  %_sec_6.2  100%  %zz  a%2/b  %C%A4",
        ),
    ),
    # signs of a regular expression or a glob
    "pattern": (
        ("negated class", r"\[\^", "[^", "^[  [x^]"),
        ("group with an extension", r"\(\?[:=!<P#>]", "(?:  (?P  (?=", "(?x)  (a)"),
        ("any character, repeated", r"\.\*|\.\+(?!\w)|\.\{\d", ".*  .+  .{1", ".htm  *.  St.+Louis"),
        (
            "class with a range",
            rf"\[[^\[\]\s]{{0,20}}{_RANGES}[^\[\]\s]{{0,20}}\][+*?{{]|\[[^\[\]\s]{{0,20}}{_RANGES}[^\[\]\s]*(?:{_RANGES}|[_.:])[^\[\]\s]{{0,20}}\]",
            "[0-9]+  [a-z0-9]  [a-z_]  [A-Za-z]",
            "[001-100]  [1-9]  [draft-2]",
        ),
        ("repeated class or group", r"[\])][+*](?![\w])|[\])]\{\d{1,4},?\d{0,4}\}", ")+  ]*  )*  ]{2,}", ")  ]?"),
        ("globstar", r"(?<=/)\*\*(?=/)", "", "**  /**bold**/"),
    ),
    "bare pattern": (
        (
            "escaped punctuation",
            r"\\{1,2}[.?+*()\[\]{}|^$](?![.\\/])|\\{1,2}[dwsDWS](?![A-Za-z])",
            r"\.  \?  \d  \\.  \w",
            r"\docs  \n  \..  \/  \a.b",
        ),
        ("Lua's classes", r"%[.?+*()\[\]^$-](?=[\w%/.\"'])|\(%[a-z][+*-]", "", "100%.  %20  %%3D"),
    ),
}
NOTATIONS = tuple(
    Notation(name, scope, pattern, *(tuple(filter(None, text.split("  "))) for text in texts))
    for scope, rows in _TABLE.items()
    for name, pattern, *texts in rows
)
