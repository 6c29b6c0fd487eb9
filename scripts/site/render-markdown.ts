import MarkdownIt from 'markdown-it'
import type { ArticleHeading, SiteRenderer } from '#web/site/site-content.ts'
import { writeSlug } from '../documents/list-anchors.ts'

export interface RenderedMarkdown {
  html: string
  /** of the second and third level */
  headings: ArticleHeading[]
}

/** Headings that can be linked to, code in colours (by classes alone, as the content policy wants it), and tables that scroll by themselves. */
export function renderMarkdown(
  markdown: string,
  highlightCode: SiteRenderer['highlightCode'],
): RenderedMarkdown {
  const headings: ArticleHeading[] = []
  const taken = new Set<string>()
  const renderer = new MarkdownIt({ html: false })
  const { rules } = renderer.renderer

  renderer.core.ruler.push('name-headings', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      const inline = tokens[at + 1]
      if (token.type !== 'heading_open' || inline === undefined) continue
      const text = inline.children?.map(({ content }) => content).join('') ?? ''
      const anchor = findFree(writeSlug(inline.content), taken)
      token.attrSet('id', anchor)
      if (token.tag === 'h2' || token.tag === 'h3') headings.push({ level: token.tag, text, anchor })
    }
  })
  rules['heading_open'] = (tokens, index, options, _env, self) => {
    const anchor = String(tokens[index]?.attrGet('id') ?? '')
    return `${self.renderToken(tokens, index, options)}<a href="#${anchor}">`
  }
  rules['heading_close'] = (tokens, index, options, _env, self) =>
    `</a>${self.renderToken(tokens, index, options)}`
  rules['fence'] = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    const [language = ''] = info.trim().split(/\s+/)
    // What is wider than the page scrolls, and the keyboard must reach it.
    return `<pre tabindex="0"><code>${highlightCode(content.trimEnd(), language)}</code></pre>\n`
  }
  rules['table_open'] = () => '<div class="table-frame" tabindex="0"><table>\n'
  rules['table_close'] = () => '</table></div>\n'
  return { html: renderer.render(markdown), headings }
}

function findFree(slug: string, taken: Set<string>): string {
  let anchor = slug
  for (let repeat = 1; taken.has(anchor); repeat += 1) anchor = `${slug}-${repeat}`
  taken.add(anchor)
  return anchor
}
