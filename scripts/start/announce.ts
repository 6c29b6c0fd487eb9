import type { Account } from './set-up-demo.ts'

export interface Running {
  url: string
  crmUrl: string
  dataDir: string
  client: Account
  admin: Account
  /** Absent when the demo accounts are not of this database. */
  sourceKey: string | undefined
}

/** The last thing a start says: where everything is and how to get in. */
export function announce({ url, crmUrl, dataDir, client, admin, sourceKey }: Running, took: string): void {
  const lead =
    '{"name":"Ada Example","email":"ada@example.com","phone":"+12125550123","state":"CA","lead_type":"final_expense"}'
  const accounts =
    sourceKey === undefined
      ? ['  The database already has accounts of its own; the demo accounts were not made.']
      : [
          `  Demo client         ${client.email}   ${client.password}`,
          `  Demo administrator  ${admin.email}    ${admin.password}`,
          `  Sample CRM          ${crmUrl}`,
          '',
          '  Send a lead:',
          `  curl -X POST ${url}/api/v1/leads -H 'Authorization: Bearer ${sourceKey}' \\`,
          `    -H 'Content-Type: application/json' -d '${lead}'`,
        ]
  console.log(
    ['', `Leadwire is ready at ${url}`, '', ...accounts, '', `  Data and logs       ${dataDir}`].join('\n'),
  )
  console.log(`  Started in ${took}. Ctrl-C stops everything.\n`)
}
