import hljs from 'highlight.js/lib/common'

/** Code as HTML, in colours by classes alone, as the content policy wants it; in a language that is not known, as it is. */
export function highlightCode(code: string, language: string): string {
  const known = hljs.getLanguage(language) === undefined ? 'plaintext' : language
  return hljs.highlight(code, { language: known, ignoreIllegals: true }).value
}
