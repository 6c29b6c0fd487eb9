/** URLs of the product that runs for a browser test run, and its accounts. */
export interface E2eEnvironment {
  server: string
  crm: string
  databaseUrl: string
  admin: Account
  /** The demo client, with the configuration 'Sample CRM' that points at the sample CRM. */
  demo: Account
}

export interface Account {
  email: string
  password: string
}

const VARIABLE = 'E2E_ENVIRONMENT'

/** Playwright's workers are separate processes; they inherit these variables. */
export function publishEnvironment(environment: E2eEnvironment): void {
  process.env[VARIABLE] = JSON.stringify(environment)
  process.env['E2E_URL'] = environment.server
}

export function readEnvironment(): E2eEnvironment {
  const value = process.env[VARIABLE]
  if (value === undefined) throw new Error(`${VARIABLE} is not set: e2e-setup.ts has not run`)
  return JSON.parse(value) as E2eEnvironment
}

/** Fast housekeeping, because tests wait for mails and for the judgement of endpoints. */
export const BRISK = { HOUSEKEEPING_PACE: '4', AUTH_EVEN_MS: '10', LOG_LEVEL: 'warn' }
