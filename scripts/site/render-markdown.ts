import MarkdownIt from 'markdown-it'
import type { ArticleHeading, SiteRenderer } from '#web/site/site-content.ts'
import type { TryCall } from '#web/site/try-call.ts'
import { writeSlug } from '../documents/list-anchors.ts'
import { makeCards } from './tables/make-cards.ts'

/** A picture as browsers load it. */
export interface SiteImage {
  url: string
  width: number
  height: number
}

export interface MarkdownParts {
  highlightCode: SiteRenderer['highlightCode']
  /** by their paths below docs/site/images */
  images: ReadonlyMap<string, SiteImage>
}

export interface RenderedMarkdown {
  html: string
  /** of the second and third level */
  headings: ArticleHeading[]
}

/** A line that the form of a call replaces. */
export const TRY_MARK = '%TRY%'

/**
 * Renders headings with anchors, code with colours (only by classes, because of the content policy), tables
 * that scroll by themselves or are cards on a phone, and pictures with a reserved size.
 * @throws Error if a picture does not exist
 */
export function renderMarkdown(
  markdown: string,
  { highlightCode, images }: MarkdownParts,
  tries: Readonly<Record<string, TryCall>> = {},
): RenderedMarkdown {
  const headings: ArticleHeading[] = []
  const taken = new Set<string>()
  const renderer = new MarkdownIt({ html: false, typographer: true }).disable('replacements')
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
  renderer.core.ruler.push('place-tries', ({ tokens }) => {
    let under = ''
    for (const [at, token] of tokens.entries()) {
      if (token.tag === 'h2' && token.nesting === 1) under = String(token.attrGet('id') ?? '')
      if (token.type !== 'inline' || token.content !== TRY_MARK) continue
      const call = tries[under]
      token.type = 'html_block'
      token.content = call === undefined ? '' : writeTry(under, call, renderer.utils.escapeHtml)
      // Removes the paragraph around the form.
      for (const around of [tokens[at - 1], tokens[at + 1]]) if (around !== undefined) around.hidden = true
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
    // Code that is wider than the page scrolls, and the keyboard must reach it.
    return `<pre tabindex="0"><code>${highlightCode(content.trimEnd(), language)}</code></pre>\n`
  }
  rules['image'] = (tokens, index) => {
    const { content = '' } = tokens[index] ?? {}
    const name = String(tokens[index]?.attrGet('src') ?? '').replace(/^(?:\.\.\/)*images\//, '')
    const image = images.get(name)
    if (image === undefined) throw new Error(`There is no picture docs/site/images/${name}`)
    const { url, width, height } = image
    const alt = renderer.utils.escapeHtml(content)
    // On a phone the picture is small; a press opens it at full size.
    return `<a class="picture" href="${url}"><img src="${url}" alt="${alt}" width="${width}" height="${height}" loading="lazy" decoding="async"></a>`
  }
  renderer.core.ruler.push('make-cards', ({ tokens }) => makeCards(tokens))
  rules['table_open'] = (tokens, index) => {
    return tokens[index]?.meta?.['isCards'] === true
      ? '<div class="table-frame cards" tabindex="0"><table role="table">\n'
      : '<div class="table-frame" tabindex="0"><table>\n'
  }
  rules['table_close'] = () => '</table></div>\n'
  return { html: renderer.render(markdown), headings }
}

/**
 * The browser fills the form in when it is opened (web/site/client/islands/try.ts). Without scripts it is
 * hidden.
 */
function writeTry(anchor: string, call: TryCall, escape: (text: string) => string): string {
  const data = escape(JSON.stringify(call))
  return `<details id="try-${anchor}" class="try-call needs-script" data-call="${data}"><summary>Try it</summary></details>\n`
}

function findFree(slug: string, taken: Set<string>): string {
  let anchor = slug
  for (let repeat = 1; taken.has(anchor); repeat += 1) anchor = `${slug}-${repeat}`
  taken.add(anchor)
  return anchor
}
