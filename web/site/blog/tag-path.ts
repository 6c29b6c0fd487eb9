import { SITE_PATHS } from '#core/contract/paths.ts'

/** Path of the list of a tag's articles. */
export function tagPath(tag: string) {
  return `${SITE_PATHS.blog}/tags/${encodeURIComponent(tag.toLowerCase().replaceAll(' ', '-'))}`
}
