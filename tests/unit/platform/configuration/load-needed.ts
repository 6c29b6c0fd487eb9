import { ConfigError, loadConfig, type Config } from '#core/config/config.ts'

/** The variables that have no default. */
export const NEEDED = { DATABASE_URL: 'postgres://db/leadwire', REDIS_URL: 'redis://cache:6379' }

export const load = (environment: Record<string, string | undefined>): Config =>
  loadConfig({ ...NEEDED, ...environment })

/** The faults of an environment, which is taken as it is. */
export function faultsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}
