import type { SiteArticle, SiteContent } from '../site-content.ts'
import type { SitePage } from '../site-page.ts'
import { ArticleBody } from './ArticleBody.tsx'
import { ArticleContents } from './ArticleContents.tsx'

/** Pages for the texts of docs/site/pages. */
export function textPages({ texts }: SiteContent): SitePage[] {
  return texts.map((text) => ({
    path: text.path,
    title: text.title,
    description: text.description,
    render: () => <Text text={text} />,
  }))
}

function Text({ text }: { text: SiteArticle }) {
  const parts = text.headings.filter(({ level }) => level === 'h2')
  return (
    <div className="mx-auto grid max-w-[1120px] gap-x-16 px-4 pt-14 sm:px-6 sm:pt-20 @5xl:grid-cols-[minmax(0,1fr)_14rem] print:block">
      <article className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight">{text.title}</h1>
        <p className="mt-3 mb-8 max-w-[62ch] text-lg text-pretty text-muted">{text.description}</p>
        <ArticleBody html={text.html} />
      </article>
      <ArticleContents
        headings={parts}
        className="sticky top-24 hidden max-h-[calc(100dvh-7rem)] self-start overflow-y-auto @5xl:block"
      />
    </div>
  )
}
