/**
 * Inserts HTML that the build made from documents of this repository, or data for machines. Never pass a
 * visitor's input.
 */
export function rawHtml(html: string) {
  return { dangerouslySetInnerHTML: { __html: html } }
}
