import { SITE_ORIGIN_MARK } from '#core/contract/site.ts'
import { SITE_PATHS } from '#core/contract/paths.ts'
import type { SiteArticle } from '#web/site/site-content.ts'

/** RSS 2.0 with whole articles, newest first. */
export function writeFeed(articles: readonly SiteArticle[]): string {
  const newest = articles.toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? ''))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">',
    '<channel>',
    '<title>Leadwire</title>',
    `<link>${SITE_ORIGIN_MARK}${SITE_PATHS.blog}</link>`,
    '<description>On delivering leads: webhooks, receivers, consent and money.</description>',
    '<language>en</language>',
    `<atom:link href="${SITE_ORIGIN_MARK}${SITE_PATHS.blog}/feed.xml" rel="self" type="application/rss+xml"/>`,
    ...newest.map(writeItem),
    '</channel>',
    '</rss>\n',
  ].join('\n')
}

function writeItem({ path, title, description, html, date, tags }: SiteArticle): string {
  const address = SITE_ORIGIN_MARK + path
  const whole = html.replaceAll(/ (href|src)="\//g, ` $1="${SITE_ORIGIN_MARK}/`)
  return [
    '<item>',
    `<title>${escapeXml(title)}</title>`,
    `<link>${address}</link>`,
    `<guid>${address}</guid>`,
    ...(date === undefined ? [] : [`<pubDate>${new Date(date).toUTCString()}</pubDate>`]),
    ...tags.map((tag) => `<category>${escapeXml(tag)}</category>`),
    `<description>${escapeXml(description)}</description>`,
    `<content:encoded>${escapeXml(whole)}</content:encoded>`,
    '</item>',
  ].join('\n')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
