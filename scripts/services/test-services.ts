import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openWithSettings } from '#core/data/session-settings.ts'
import { migrateDatabase } from '../migrate-database.ts'
import { hasDockerEngine, startPostgresContainer, startRedisContainer } from './docker.ts'
import { startPostgres } from './postgres.ts'
import type { Service } from './postgres.ts'
import { startRedis } from './redis.ts'
import { step } from './step.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from './throw-away-folder.ts'

export interface TestServices {
  databaseUrl: string
  redisUrl: string
  /** Name of the migrated database that tests copy. */
  template: string
  stop: () => Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * PostgreSQL and Redis for tests: the given ones, else in Docker if an engine answers, else our own
 * throw-away ones.
 */
export async function startTestServices(
  environment: Environment,
  parentFolder?: string,
): Promise<TestServices> {
  const folder = await makeThrowAwayFolder('test', parentFolder)
  const started: (() => Promise<void>)[] = [() => removeThrowAwayFolder(folder)]
  const stop = async () => {
    for (const stopOne of started.splice(0).toReversed()) await stopOne()
  }
  try {
    const docker = await hasDockerEngine()
    const databaseUrl =
      environment['TEST_DATABASE_URL'] ?? (await run('PostgreSQL', docker, () => postgres(docker, folder)))
    const redisUrl =
      environment['TEST_REDIS_URL'] ?? (await run('Redis', docker, () => redis(docker, folder)))
    const template = environment['TEST_TEMPLATE_DATABASE'] ?? (await makeTemplate(databaseUrl))
    if (environment['TEST_TEMPLATE_DATABASE'] === undefined)
      started.push(() => dropDatabase(databaseUrl, template))
    return { databaseUrl, redisUrl, template, stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function run(name: string, docker: boolean, start: () => Promise<Service>): Promise<string> {
    const place = docker ? 'in Docker' : 'of our own'
    const service = await step(
      `Starting a throw-away ${name} ${place}`,
      start,
      ({ port }) => `${name} ${place} on port ${port}`,
    )
    started.push(service.stop)
    return service.url
  }
}

async function postgres(docker: boolean, folder: string): Promise<Service> {
  return (docker ? await startPostgresContainer() : undefined) ?? startPostgres({ folder, throwaway: true })
}

async function redis(docker: boolean, folder: string): Promise<Service> {
  return (docker ? await startRedisContainer() : undefined) ?? startRedis({ folder })
}

async function makeTemplate(databaseUrl: string): Promise<string> {
  const template = `leadwire_template_${randomBytes(4).toString('hex')}`
  await administer(databaseUrl, `create database ${template}`)
  await step('Migrating the database that tests copy', () =>
    migrateDatabase(databaseNamed(databaseUrl, template)),
  )
  return template
}

export interface CopiedDatabase {
  url: string
  drop: () => Promise<void>
}

/** A migrated, empty database; `drop` also closes connections that are still open. */
export async function copyTemplate({
  databaseUrl,
  template,
}: Pick<TestServices, 'databaseUrl' | 'template'>): Promise<CopiedDatabase> {
  const name = `leadwire_test_${randomBytes(6).toString('hex')}`
  // Copying page by page through the write-ahead log would be twice the work and evict all other pages from
  // memory.
  await administer(databaseUrl, `create database ${name} template ${template} strategy file_copy`)
  return { url: databaseNamed(databaseUrl, name), drop: () => dropDatabase(databaseUrl, name) }
}

/** `databaseUrl` with another database's name. */
export function databaseNamed(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

export function dropDatabase(databaseUrl: string, name: string): Promise<void> {
  return administer(databaseUrl, `drop database if exists ${name} with (force)`)
}

/** Runs one statement that cannot run in a transaction, on its own connection. */
export async function administer(databaseUrl: string, statement: string): Promise<void> {
  const { onConnect, ...options } = openWithSettings(databaseUrl, 'migration')
  const client = new pg.Client(options)
  await client.connect()
  try {
    await onConnect(client)
    await client.query(statement)
  } finally {
    await client.end()
  }
}
