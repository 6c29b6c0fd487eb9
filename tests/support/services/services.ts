import { temporaryRoot } from '#scripts/test/temporary-root.ts'
import { startTestServices, type TestServices } from '#scripts/services/test-services.ts'

/**
 * Vitest's globalSetup: starts services for the run and passes them to test files by environment variables.
 */
export async function setup(): Promise<() => Promise<void>> {
  const services = await startTestServices(process.env, await temporaryRoot())
  tellServices(services)
  return services.stop
}

/** Passes services to test files, which run in other processes. */
export function tellServices(services: Omit<TestServices, 'stop'>): void {
  process.env['TEST_DATABASE_URL'] = services.databaseUrl
  process.env['TEST_REDIS_URL'] = services.redisUrl
  process.env['TEST_TEMPLATE_DATABASE'] = services.template
}

/** Returns the services that {@link setup} has started. */
export function givenServices(): Omit<TestServices, 'stop'> {
  return {
    databaseUrl: serviceVariable('TEST_DATABASE_URL'),
    redisUrl: serviceVariable('TEST_REDIS_URL'),
    template: serviceVariable('TEST_TEMPLATE_DATABASE'),
  }
}

/** Returns a variable that {@link setup} has set. */
export function serviceVariable(
  name: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL' | 'TEST_TEMPLATE_DATABASE',
): string {
  const value = process.env[name]
  if (value === undefined)
    throw new Error(`${name} is not set: this test needs tests/support/services/services.ts as globalSetup`)
  return value
}
