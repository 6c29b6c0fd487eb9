import { rawHtml } from './raw-html.ts'

export function ArticleBody({ html }: { html: string }) {
  return <div className="prose" {...rawHtml(html)} />
}
