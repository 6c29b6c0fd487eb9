import { AccountActivity } from './AccountActivity.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SecondFactors } from './SecondFactors.tsx'
import { SessionList } from './SessionList.tsx'
import { SignInMethods } from './SignInMethods.tsx'

export function SecurityPanel() {
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
