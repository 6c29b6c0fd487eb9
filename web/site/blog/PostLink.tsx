import { SiteDate } from '../parts/SiteDate.tsx'
import type { SiteArticle } from '../site-content.ts'

export function PostLink({ post, heading: Heading }: { post: SiteArticle; heading: 'h2' | 'h3' }) {
  return (
    <>
      <p className="text-sm text-muted tabular">
        {post.date !== undefined && <SiteDate day={post.date} />} · {post.minutes} min
      </p>
      <Heading className={`mt-1 font-semibold tracking-tight ${Heading === 'h2' ? 'text-lg' : 'text-base'}`}>
        <a href={post.path} className="rounded-sm hover:underline">
          {post.title}
        </a>
      </Heading>
      <p className="mt-1 text-base text-pretty text-muted">{post.description}</p>
    </>
  )
}
