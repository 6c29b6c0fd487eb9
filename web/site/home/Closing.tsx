import { AccountLinks } from '../parts/AccountLinks.tsx'

export function Closing() {
  return (
    <div className="mx-auto max-w-[1120px] px-4 pt-24 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-6 rounded-lg border border-line bg-surface px-6 py-8">
        <div>
          <h2 className="text-lg font-semibold tracking-tight">Send yourself a test lead</h2>
          <p className="mt-1 max-w-[52ch] text-base text-muted">
            Create an account and a webhook, and press Run Assignment Test. A free lead then goes all the way
            to your CRM.
          </p>
        </div>
        <AccountLinks />
      </div>
    </div>
  )
}
