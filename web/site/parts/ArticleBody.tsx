import { rawHtml } from './raw-html.ts'

export function ArticleBody({ html }: { html: string }) {
  return <div className="prose max-w-[70ch]" {...rawHtml(html)} />
}
