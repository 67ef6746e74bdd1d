# Convert documents (a JSON list on standard input) to HTML (a JSON list on standard output).
# usage: ruby slugs.rb kramdown|jekyll|gitlab|asciidoctor|asciidoctor-github
require 'cgi'
require 'json'
require 'kramdown'

program = ARGV[0]

# The steps that the documentation of GitLab lists, by Ruby's own string functions, on the text of rendered headings.
def gitlab(page)
  used = Hash.new(0)
  page.gsub(%r{<h(\d) id="[^"]*">(.*?)</h\d>}m) do
    text = CGI.unescapeHTML($2.gsub(/<[^>]*>/, ''))[0...255]
    slug = text.strip.downcase.gsub(/[^\p{Word}\- ]/, '').tr(' ', '-').squeeze('-').sub(/\A(\d+)\z/, 'anchor-\1')
    count = used[slug]
    used[slug] += 1
    %(<h2 id="#{count.positive? ? "#{slug}-#{count}" : slug}"></h2>)
  end
end

convert =
  case program
  when 'kramdown' then ->(text) { Kramdown::Document.new(text).to_html }
  when 'jekyll' then ->(text) { Kramdown::Document.new(text, input: 'GFM').to_html }
  when 'gitlab'
    ->(text) { gitlab(IO.popen(['cmark-gfm', '--unsafe', '-e', 'strikethrough'], 'r+') { |io| io.write(text); io.close_write; io.read }.gsub(/<h(\d)>/, '<h\1 id="">')) }
  else
    require 'asciidoctor'
    attributes = { 'showtitle' => '' }
    attributes.merge!('idprefix' => '', 'idseparator' => '-') if program == 'asciidoctor-github'
    ->(text) { Asciidoctor.convert(text, attributes: attributes, logger: nil) }
  end
print JSON.generate(JSON.parse($stdin.read).map { |text| convert.call(text) })
