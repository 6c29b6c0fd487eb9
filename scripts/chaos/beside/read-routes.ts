import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Route } from '#server/http/route.ts'

/** Pages make these calls and do not read the answer. */
const UNREAD = new Set(['patch /api/v1/leads/:id'])

/** The route table of a version. */
export async function readRoutes(folder: string): Promise<Route[]> {
  const { apiRoutes } = (await load(folder, 'server/api-routes.ts')) as { apiRoutes: readonly Route[] }
  return apiRoutes.map((route) =>
    UNREAD.has(`${route.method} ${route.path}`)
      ? { ...route, answers: { ...route.answers, 200: null } }
      : route,
  )
}

async function load(folder: string, file: string): Promise<unknown> {
  return await import(pathToFileURL(path.join(folder, file)).href)
}
