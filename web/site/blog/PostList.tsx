import { SITE_PATHS } from '#core/contract/paths.ts'
import type { SiteArticle } from '../site-content.ts'
import { PostLink } from './PostLink.tsx'
import { tagPath } from './tag-path.ts'

export interface PostListProps {
  posts: readonly SiteArticle[]
  tags: readonly string[]
  chosen?: string
  isMissing?: boolean
}

export function PostList({ posts, tags, chosen, isMissing = false }: PostListProps) {
  return (
    <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
      <div className="max-w-[70ch]">
        <h1 className="text-xl font-semibold tracking-tight">
          {isMissing ? 'There is no such article' : 'Blog'}
        </h1>
        <p className="mt-3 text-lg text-pretty text-muted">
          {isMissing
            ? 'It may have moved. These are the newest.'
            : 'What we learned about getting leads from one system into another, with our sources.'}
        </p>
        {tags.length > 0 && (
          <nav aria-label="Tags" className="mt-6 flex flex-wrap gap-2 text-sm">
            <Tag path={SITE_PATHS.blog} name="All" isChosen={chosen === undefined && !isMissing} />
            {tags.map((tag) => (
              <Tag key={tag} path={tagPath(tag)} name={tag} isChosen={tag === chosen} />
            ))}
          </nav>
        )}
        <ul className="mt-8">
          {posts.map((post) => (
            <li key={post.slug} className="border-t border-line py-6">
              <PostLink post={post} heading="h2" />
            </li>
          ))}
        </ul>
        {posts.length === 0 && (
          <p className="border-t border-line py-6 text-base text-muted">No article yet.</p>
        )}
        <p className="border-t border-line pt-6 text-sm text-muted">
          <a
            href={`${SITE_PATHS.blog}/feed.xml`}
            className="rounded-sm text-accent-strong underline underline-offset-2"
          >
            Feed
          </a>
        </p>
      </div>
    </div>
  )
}

function Tag({ path, name, isChosen }: { path: string; name: string; isChosen: boolean }) {
  return (
    <a
      href={path}
      {...(isChosen ? { 'aria-current': 'page' } : {})}
      className="inline-flex min-h-8 items-center rounded-md border border-line px-3 text-muted hover:bg-hover hover:text-ink aria-[current]:border-accent aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
    >
      {name}
    </a>
  )
}
