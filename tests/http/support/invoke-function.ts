import { createClient } from '@supabase/supabase-js'
import type { FunctionResult } from '#core/contract/accounts/account-functions.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { checkAnswer } from './check-answer.ts'
import type { Person, TestApp } from './start-app.ts'

/** What browsers send where nobody is signed in: a key that is no person's. */
export const PUBLIC_KEY = 'sb_publishable_example'

let people = 0
export const newAddress = () => `function-${(people += 1)}@example.com`

/** Confirmed and signed in, where sign-up does neither. */
export async function newPersonAt(app: TestApp): Promise<Person> {
  const email = newAddress()
  await app.call('POST', '/auth/v1/signup', { body: { email, password: PASSWORD } })
  await app.context.db
    .updateTable('auth.users')
    .set({ email_confirmed_at: new Date() })
    .where('email', '=', email)
    .execute()
  const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email, password: PASSWORD },
  })
  return { token: json.access_token, id: json.user.id, email }
}

/** Calls a server function as the app does, by functions-js. */
export async function invokeAt<Result = FunctionResult>(
  app: TestApp,
  name: string,
  body: object,
): Promise<Result> {
  const options = {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: fetchChecked },
  }
  const answer = await createClient(app.url, PUBLIC_KEY, options).functions.invoke<Result>(name, {
    body: { ...body },
  })
  if (answer.error !== null) throw new Error(`${name} failed`, { cause: answer.error })
  return answer.data as Result
}

/** The client library, too, gets nothing that the route does not declare. */
const fetchChecked: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const response = await fetch(request)
  const { pathname } = new URL(request.url)
  checkAnswer(request.method, pathname, {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.clone().text(),
  })
  return response
}
