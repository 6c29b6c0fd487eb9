import type { Account } from './demo-session.ts'

export interface Running {
  url: string
  crmUrl: string
  dataDir: string
  client: Account
  admin: Account
  /** Without a mail server, the server shows mails. */
  hasMailbox: boolean
  /** The other clients of the demo's market. */
  others: readonly Account[]
  /** Undefined if the database does not have the demo accounts. */
  sourceKey: string | undefined
}

/** The width of the demo's longest address. */
const MAIL_WIDTH = 'prairie@example.com'.length

/** The last message of a start: all addresses, and how to sign in. */
export function announce(
  { url, crmUrl, dataDir, client, admin, others, hasMailbox, sourceKey }: Running,
  took: string,
): void {
  const lead =
    '{"name":"Ada Example","email":"ada@example.com","phone":"+12125550123","state":"CA","lead_type":"final_expense"}'
  const accounts =
    sourceKey === undefined
      ? ['  The database already has accounts of its own; the demo accounts were not made.']
      : [
          `  Demo client         ${signIn(client)}`,
          ...others.map((other) => `                      ${signIn(other)}`),
          `  Demo administrator  ${signIn(admin)}   ${url}/admin`,
          `  Sample CRM          ${crmUrl}${others.length === 0 ? '' : '    (pauses the demo leads, too)'}`,
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

function signIn({ email, password }: Account): string {
  return `${email.padEnd(MAIL_WIDTH)}   ${password}`
}
