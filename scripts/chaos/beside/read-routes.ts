import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { z } from 'zod'
import type { Route } from '#server/http/route.ts'

/** A page's own reading of an answer, more patient with older servers than the route's word; only where a version has it. */
const LEAD_ANSWERS = 'web/api/lead-answers.ts'
const READ_BY_PAGES: Readonly<Record<string, string>> = {
  'get /api/v1/leads': 'leadPageSchema',
  'get /api/v1/leads/:id': 'shownLeadSchema',
}
/** Pages make these calls and read nothing of the answer. */
const UNREAD = new Set(['patch /api/v1/leads/:id'])

/** The route table of a version, with the answers as its pages read them. */
export async function readRoutes(folder: string): Promise<Route[]> {
  const { apiRoutes } = (await load(folder, 'server/api-routes.ts')) as { apiRoutes: readonly Route[] }
  const own = existsSync(path.join(folder, LEAD_ANSWERS))
    ? ((await load(folder, LEAD_ANSWERS)) as Record<string, z.ZodType>)
    : {}
  return apiRoutes.map((route) => {
    const call = `${route.method} ${route.path}`
    if (UNREAD.has(call)) return { ...route, answers: { ...route.answers, 200: null } }
    const schema = own[READ_BY_PAGES[call] ?? '']
    return schema === undefined ? route : { ...route, answers: { ...route.answers, 200: schema } }
  })
}

async function load(folder: string, file: string): Promise<unknown> {
  return await import(pathToFileURL(path.join(folder, file)).href)
}
