/**
 * HTML that the build made itself of documents of this repository, or data for machines. Nothing that
 * a visitor brings ever comes here.
 */
export function rawHtml(html: string) {
  return { dangerouslySetInnerHTML: { __html: html } }
}
