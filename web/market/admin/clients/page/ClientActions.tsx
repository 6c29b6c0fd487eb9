import { useState } from 'react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { viewClient } from '#web/api/viewed-client.ts'
import { PATHS } from '#web/paths.ts'
import { useMay } from '#web/components/admin/use-may.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { AdjustBalance } from '../AdjustBalance.tsx'
import { PayOutBalance } from '../PayOutBalance.tsx'
import { ClientDecision, type Decision } from '../ClientDecision.tsx'

/** The changes that an administrator may make to this client; each asks for a reason. */
export function ClientActions({ client }: { client: AdminClientDetail }) {
  const [asked, setAsked] = useState<Decision | 'balance' | 'pay-out'>()
  const { status } = client
  const isOpen = status !== 'closed' && status !== 'erased'
  const mayDecide = useMay('clients')
  const mayPay = useMay('money')
  const close = () => setAsked(undefined)
  return (
    <>
      {isOpen && mayDecide && status === 'suspended' && (
        <Button onClick={() => setAsked('resume')}>Resume</Button>
      )}
      {isOpen && mayDecide && status !== 'suspended' && (
        <Button onClick={() => setAsked('suspend')}>Suspend</Button>
      )}
      {isOpen && (
        <Button
          onClick={() => {
            viewClient(client.user_id)
            location.assign(PATHS.dashboard)
          }}
        >
          View as client
        </Button>
      )}
      {mayPay && Number(client.balance) > 0 && <Button onClick={() => setAsked('pay-out')}>Pay out</Button>}
      {mayPay && status !== 'erased' && <Button onClick={() => setAsked('balance')}>Adjust balance</Button>}
      {mayDecide && status === 'onboarding' && (
        <Button variant="primary" onClick={() => setAsked('approve')}>
          Approve
        </Button>
      )}
      {asked === 'balance' && <AdjustBalance client={client} onClose={close} />}
      {asked === 'pay-out' && <PayOutBalance client={client} onClose={close} />}
      {asked !== undefined && asked !== 'balance' && asked !== 'pay-out' && (
        <ClientDecision client={client} decision={asked} onClose={close} />
      )}
    </>
  )
}
