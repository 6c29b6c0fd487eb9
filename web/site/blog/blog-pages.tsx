import { SITE_PATHS } from '#core/contract/paths.ts'
import { SITE_ORIGIN_MARK } from '#core/contract/site.ts'
import type { SiteArticle, SiteContent } from '../site-content.ts'
import type { SitePage } from '../site-page.ts'
import { PostList } from './PostList.tsx'
import { PostPage } from './PostPage.tsx'
import { tagPath } from './tag-path.ts'

const DESCRIPTION =
  'On delivering leads: why webhooks are lost, signatures, receivers that take everything once, consent evidence, balances and caps.'

export function blogPages({ blog, cards }: SiteContent): SitePage[] {
  const posts = blog.toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? ''))
  const tags = [...new Set(posts.flatMap((post) => post.tags))].toSorted()
  return [
    {
      path: SITE_PATHS.blog,
      title: 'Blog',
      description: DESCRIPTION,
      render: () => <PostList posts={posts} tags={tags} />,
    },
    {
      path: `${SITE_PATHS.blog}/`,
      title: 'No such article',
      description: DESCRIPTION,
      kind: 'missing',
      isListed: false,
      render: () => <PostList posts={posts} tags={tags} isMissing />,
    },
    ...tags.map((tag) => ({
      path: tagPath(tag),
      title: `Blog: ${tag}`,
      description: `Articles about ${tag}. ${DESCRIPTION}`,
      render: () => (
        <PostList posts={posts.filter((post) => post.tags.includes(tag))} tags={tags} chosen={tag} />
      ),
    })),
    ...posts.map((post, at) => describe(post, posts, at, cards[post.path])),
  ]
}

function describe(
  post: SiteArticle,
  posts: readonly SiteArticle[],
  at: number,
  card = '/card.png',
): SitePage {
  const address = SITE_ORIGIN_MARK + post.path
  return {
    path: post.path,
    title: post.title,
    description: post.description,
    isArticle: true,
    ...(post.updated === undefined ? {} : { updated: post.updated }),
    structured: {
      '@type': 'BlogPosting',
      headline: post.title,
      description: post.description,
      datePublished: post.date,
      dateModified: post.updated ?? post.date,
      author: { '@type': 'Organization', name: post.author },
      mainEntityOfPage: address,
      image: SITE_ORIGIN_MARK + card,
    },
    render: () => <PostPage post={post} posts={posts} before={posts[at + 1]} after={posts[at - 1]} />,
  }
}
