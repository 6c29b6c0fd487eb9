import { createClient } from '@supabase/supabase-js'
import type { FunctionResult } from '#core/contract/accounts/account-functions.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { checkAnswer } from './check-answer.ts'
import type { Person, TestApp } from './start-app.ts'

/** The key that browsers send while nobody is signed in. */
export const PUBLIC_KEY = 'sb_publishable_example'

let people = 0
export const newAddress = () => `function-${(people += 1)}@example.com`

/**
 * Creates a confirmed, signed-in user through the administration, for servers whose sign-up does not do that.
 */
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

/** Calls a server function as the app does, through functions-js. */
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

/** Checks the client library's answers against the route's declaration too. */
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
