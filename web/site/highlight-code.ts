import hljs from 'highlight.js/lib/common'

/**
 * Highlights code as HTML with classes only, because the content security policy forbids inline styles. An
 * unknown language is left plain.
 */
export function highlightCode(code: string, language: string): string {
  const known = hljs.getLanguage(language) === undefined ? 'plaintext' : language
  return hljs.highlight(code, { language: known, ignoreIllegals: true }).value
}
