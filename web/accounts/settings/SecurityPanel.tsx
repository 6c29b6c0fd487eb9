import { useQuery } from '@tanstack/react-query'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { identitiesQuery, passwordQuery } from '../account-queries.ts'
import { AccountActivity } from './AccountActivity.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SecondFactors } from './SecondFactors.tsx'
import { SessionList } from './SessionList.tsx'
import { SignInMethods } from './SignInMethods.tsx'

/**
 * Waits for the data of its upper cards; if they appeared late, they would move the buttons under the
 * pointer.
 */
export function SecurityPanel() {
  const waits = [useQuery(passwordQuery), useQuery(identitiesQuery), useQuery(authSettingsQuery)]
  if (waits.some(({ isPending }) => isPending)) return <CardSkeleton />
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <PasswordForm />
      <SignInMethods />
      <SecondFactors />
      <SessionList />
      <AccountActivity />
    </div>
  )
}
