import { SITE_PATHS } from '#core/contract/paths.ts'

/** The list of a tag's articles. */
export function tagPath(tag: string) {
  return `${SITE_PATHS.blog}/tags/${encodeURIComponent(tag.toLowerCase().replaceAll(' ', '-'))}`
}
