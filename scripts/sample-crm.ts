import { createSampleCrm } from './sample-crm/create-sample-crm.ts'

/**
 * A small receiver that stands in for a client's CRM: `npm start` runs it, and its page shows what arrived.
 * SAMPLE_CRM_PORT (3001), HOST (127.0.0.1), SAMPLE_CRM_SECRET_FILE (holds the configuration's whsec_ secret),
 * DEMO_MARKET_FILE (names the demo's market, which takes fictional leads).
 */
const given = (name: string, otherwise: string) => {
  const value = process.env[name]
  return value === undefined || value === '' ? otherwise : value
}
const port = Number(given('SAMPLE_CRM_PORT', '3001'))
const host = given('HOST', '127.0.0.1')

try {
  const { SAMPLE_CRM_SECRET_FILE: secretFile, DEMO_MARKET_FILE: marketFile } = process.env
  const crm = await createSampleCrm({ port, host, secretFile, marketFile })
  console.log(`Sample CRM at ${crm.url} receives webhooks at ${crm.webhookUrl}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void crm.close())
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  console.error(
    taken
      ? `Port ${port} is taken: stop what uses it, or set SAMPLE_CRM_PORT to another.`
      : `The sample CRM could not start: ${error instanceof Error ? error.message : String(error)}`,
  )
  process.exitCode = 1
}
