import { SITE_PATHS } from '#core/contract/paths.ts'
import { ArticleBody } from '../parts/ArticleBody.tsx'
import { ArticleContents } from '../parts/ArticleContents.tsx'
import { Neighbours } from '../parts/Neighbours.tsx'
import { SiteDate } from '../parts/SiteDate.tsx'
import type { SiteArticle } from '../site-content.ts'
import { PostLink } from './PostLink.tsx'
import { tagPath } from './tag-path.ts'

export interface PostPageProps {
  post: SiteArticle
  posts: readonly SiteArticle[]
  before: SiteArticle | undefined
  after: SiteArticle | undefined
}

export function PostPage({ post, posts, before, after }: PostPageProps) {
  const related = findRelated(post, posts)
  return (
    <div className="mx-auto grid max-w-[1120px] gap-x-16 px-4 pt-14 sm:px-6 sm:pt-20 @6xl:grid-cols-[minmax(0,1fr)_14rem] print:block">
      <article className="min-w-0">
        <p className="text-sm text-muted">
          <a href={SITE_PATHS.blog} className="rounded-sm hover:text-ink hover:underline">
            Blog
          </a>
        </p>
        <h1 className="mt-2 max-w-[28ch] text-xl font-semibold tracking-tight text-balance">{post.title}</h1>
        <p className="mt-3 text-sm text-muted tabular">
          {post.author}
          {post.date !== undefined && (
            <>
              {' '}
              · <SiteDate day={post.date} />
            </>
          )}
          {post.updated !== undefined && post.updated !== post.date && (
            <>
              , updated <SiteDate day={post.updated} />
            </>
          )}{' '}
          · {post.minutes} minutes to read
        </p>
        <p className="mt-6 mb-8 max-w-[62ch] text-lg text-pretty text-muted">{post.description}</p>
        <ArticleBody html={post.html} />
        <p className="mt-12 flex max-w-[43.75rem] flex-wrap gap-2 text-sm print:hidden">
          {post.tags.map((tag) => (
            <a
              key={tag}
              href={tagPath(tag)}
              className="inline-flex min-h-8 items-center rounded-md border border-line px-3 text-muted hover:bg-hover hover:text-ink"
            >
              {tag}
            </a>
          ))}
        </p>
        {related.length > 0 && (
          <section className="mt-12 max-w-[43.75rem] print:hidden">
            <h2 className="text-base font-semibold">Related</h2>
            <ul className="mt-3">
              {related.map((other) => (
                <li key={other.slug} className="border-t border-line py-4">
                  <PostLink post={other} heading="h3" />
                </li>
              ))}
            </ul>
          </section>
        )}
        <Neighbours label="Articles before and after" before={before} after={after} />
      </article>
      <ArticleContents
        headings={post.headings.filter(({ level }) => level === 'h2')}
        className="sticky top-24 hidden max-h-[calc(100dvh-7rem)] self-start overflow-y-auto @6xl:block"
      />
    </div>
  )
}

const RELATED = 3

/** Finds the posts that share most tags. */
function findRelated(post: SiteArticle, posts: readonly SiteArticle[]): SiteArticle[] {
  const shared = ({ tags }: SiteArticle) => tags.filter((tag) => post.tags.includes(tag)).length
  return posts
    .filter((other) => other !== post && shared(other) > 0)
    .toSorted((a, b) => shared(b) - shared(a))
    .slice(0, RELATED)
}
