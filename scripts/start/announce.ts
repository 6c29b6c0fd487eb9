import type { Account } from './set-up-demo.ts'

export interface Running {
  url: string
  crmUrl: string
  dataDir: string
  client: Account
  admin: Account
  /** Without a mail server, mails are shown at the server. */
  hasMailbox: boolean
  /** Absent when the demo accounts are not of this database. */
  sourceKey: string | undefined
}

/** The last thing a start says: where everything is and how to get in. */
export function announce(
  { url, crmUrl, dataDir, client, admin, hasMailbox, sourceKey }: Running,
  took: string,
): void {
  const lead =
    '{"name":"Ada Example","email":"ada@example.com","phone":"+12125550123","state":"CA","lead_type":"final_expense"}'
  const accounts =
    sourceKey === undefined
      ? ['  The database already has accounts of its own; the demo accounts were not made.']
      : [
          `  Demo client         ${client.email}   ${client.password}`,
          `  Demo administrator  ${admin.email}    ${admin.password}    ${url}/admin`,
          `  Sample CRM          ${crmUrl}`,
          '',
          '  Send a lead:',
          `  curl -X POST ${url}/api/v1/leads -H 'Authorization: Bearer ${sourceKey}' \\`,
          `    -H 'Content-Type: application/json' -d '${lead}'`,
        ]
  const folders = [
    `  Data and logs       ${dataDir}`,
    ...(hasMailbox ? [`  Mails               ${url}/dev/mailbox`] : []),
  ]
  console.log(['', `Leadwire is ready at ${url}`, '', ...accounts, '', ...folders].join('\n'))
  console.log(`  Started in ${took}. Ctrl-C stops everything.\n`)
}
