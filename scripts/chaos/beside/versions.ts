import type { Route } from '#server/http/route.ts'
import { runScript } from '../../lab/run-script.ts'
import { readRoutes } from './read-routes.ts'

/** One of the two versions. */
export type Age = 'before' | 'this'

export const OTHER: Readonly<Record<Age, Age>> = { before: 'this', this: 'before' }

/** One of the two versions that run side by side. */
export interface Version {
  age: Age
  folder: string
  /** the routes that its servers answer, and its pages expect */
  routes: readonly Route[]
}

export async function openVersion(age: Age, folder: string): Promise<Version> {
  return { age, folder, routes: await readRoutes(folder) }
}

/** Migrates with `npm run migrate` of that version. */
export async function migrateBy({ folder }: Version, databaseUrl: string): Promise<void> {
  const env = { DATABASE_URL: databaseUrl }
  const { code, output } = await runScript({ folder, script: 'scripts/migrate.ts', env })
  if (code !== 0) throw new Error(`The migration ended with ${code ?? 'a signal'}:\n${output.slice(-4000)}`)
}
