import got, { type Got } from 'got'

export interface Account {
  email: string
  password: string
}

/** A signed-in demo account, for which `npm start` acts. */
export interface DemoSession {
  userId: string
  /** calls below `/api/v1` */
  api: Got
  /** the administrators' calls of the authentication service */
  accounts: Got
  close: () => Promise<void>
}

/**
 * The accounts' recent activity names the program that signed in, so this must not look like a person's
 * browser.
 */
const http = got.extend({ headers: { 'user-agent': 'npm-start' }, retry: { limit: 0 } })

/** Undefined if the service does not know the account or its password. */
export async function openSession(server: string, account: Account): Promise<DemoSession | undefined> {
  const answer = await http.post(`${server}/auth/v1/token?grant_type=password`, {
    json: account,
    throwHttpErrors: false,
  })
  if (answer.statusCode === 400) return undefined
  if (answer.statusCode !== 200)
    throw new Error(`Signing in as ${account.email} answered ${answer.statusCode}`)
  const { access_token: token, user } = JSON.parse(answer.body) as {
    access_token: string
    user: { id: string }
  }
  const as = http.extend({ headers: { authorization: `Bearer ${token}` } })
  return {
    userId: user.id,
    api: as.extend({ prefixUrl: `${server}/api/v1` }),
    accounts: as.extend({ prefixUrl: `${server}/auth/v1` }),
    close: async () => void (await as.post(`${server}/auth/v1/logout?scope=local`)),
  }
}
