import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrateDatabase } from '../migrate-database.ts'
import { hasDockerEngine, startPostgresContainer, startRedisContainer } from './docker.ts'
import { startPostgres } from './postgres.ts'
import type { Service } from './postgres.ts'
import { startRedis } from './redis.ts'
import { step } from './step.ts'

export interface TestServices {
  databaseUrl: string
  redisUrl: string
  /** Name of a migrated database that tests copy theirs from. */
  template: string
  stop: () => Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** PostgreSQL and Redis for tests: the given ones, else in Docker when an engine answers, else our own throw-away ones. */
export async function startTestServices(
  environment: Environment,
  parentFolder = tmpdir(),
): Promise<TestServices> {
  const folder = await mkdtemp(path.join(parentFolder, 'leadwire-test-'))
  // The user that PostgreSQL runs as must get through to its data; mkdtemp lets nobody else in.
  await chmod(folder, 0o711)
  const started: (() => Promise<void>)[] = [() => removeFolder(folder)]
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

/** The data of PostgreSQL may lie elsewhere, behind a link (see postgres.ts). */
async function removeFolder(folder: string): Promise<void> {
  const data = await realpath(path.join(folder, 'postgres')).catch(() => folder)
  await rm(data, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

async function makeTemplate(databaseUrl: string): Promise<string> {
  const template = `leadwire_template_${randomBytes(4).toString('hex')}`
  await administer(databaseUrl, `create database ${template}`)
  await step('Migrating the database that tests copy', () =>
    migrateDatabase(databaseNamed(databaseUrl, template)),
  )
  return template
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

/** Runs one statement that no transaction may hold, in a connection of its own. */
export async function administer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
