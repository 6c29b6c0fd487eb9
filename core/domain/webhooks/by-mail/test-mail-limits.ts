/** The most test mails of one account, and to one address from all accounts, in an hour and on a day (UTC). */
export type TestMailLimits = Readonly<Record<'account' | 'address', { hour: number; day: number }>>

/** The limits of every installation; codes for signing in leave by the same mail server. */
export const TEST_MAILS = {
  account: { hour: 30, day: 100 },
  address: { hour: 20, day: 50 },
} as const satisfies TestMailLimits

/** The text for an account, or an address, that has had its test mails. */
export function describeTestMailLimit(waitSeconds: number): string {
  const { account, address } = TEST_MAILS
  const minutes = Math.ceil(waitSeconds / 60)
  const wait =
    minutes < 100 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${Math.ceil(minutes / 60)} hours`
  return `Nothing was sent: there can be ${account.hour} test mails an hour and ${account.day} a day from an account, and ${address.hour} and ${address.day} to an address, because sign-in codes leave by the same mail server. Try again in ${wait}.`
}
