import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import type { LeadTypeForClient, Order, OrderConflict } from '#core/contract/market/order.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { proposeZone } from '#web/components/schedule/propose-zone.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { AreaFields } from './folded/AreaFields.tsx'
import { AgeFields } from './folded/AgeFields.tsx'
import { ConflictNotice } from './ConflictNotice.tsx'
import { IDLE, type FormStatus } from './form-status.ts'
import { focusFault } from './focus-fault.ts'
import { LimitFields } from './folded/LimitFields.tsx'
import { MaxAgeField } from './folded/MaxAgeField.tsx'
import { ActiveField, DateFields, UndeliveredField } from './folded/MoreFields.tsx'
import { ScheduleField } from './folded/ScheduleField.tsx'
import { StatesField } from './StatesField.tsx'
import { WantedFields } from './WantedFields.tsx'
import {
  changedTerms,
  editOrderValues,
  groupFaults,
  newOrderValues,
  readTerms,
  resolveOrder,
  type OrderField,
  type OrderFormValues,
} from './order-form-values.ts'
import { useChangeOrder, useCreateOrder } from './order-queries.ts'
import { useEstimate } from './use-estimate.ts'

export interface OrderFormProps {
  formId: string
  target: Order | null
  types: readonly LeadTypeForClient[]
  /** its zone is that of a new order */
  account: ClientAccount
  /** whether a new order takes leads as soon as it is created */
  startsActive: boolean
  /** the maximum age that is proposed for a new order, in minutes */
  maxLeadAge?: string
  onStatus: (status: FormStatus) => void
  onSaved: () => void
}

export function OrderForm({
  formId,
  target,
  types,
  account,
  startsActive,
  maxLeadAge = '',
  onStatus,
  onSaved,
}: OrderFormProps) {
  // The order that the form compares with: as it was read, or as somebody else has saved it since.
  const [base, setBase] = useState(target)
  const [conflict, setConflict] = useState<OrderConflict | null>(null)
  const defaultValues =
    base === null
      ? newOrderValues({
          leadType: types[0]?.code ?? '',
          timezone: proposeZone(account),
          active: startsActive,
          maxLeadAge,
        })
      : editOrderValues(base)
  const form = useForm<OrderFormValues>({ resolver: resolveOrder, defaultValues, shouldFocusError: false })
  const create = useCreateOrder()
  const change = useChangeOrder()
  const { isDirty, errors, submitCount } = form.formState
  const saving = create.isPending || change.isPending
  const { cost, matched } = useEstimate(form.control, target, types)

  // A layout effect, so that Escape right after the last letter still asks before it drops the text.
  useLayoutEffect(() => {
    onStatus({ dirty: isDirty, saving, ready: true, cost, matched })
    return () => onStatus(IDLE)
  }, [isDirty, saving, cost, matched, onStatus])

  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // By now a closed group with a fault has opened.
    if (submitCount > 0) focusFault(element.current)
  }, [submitCount])

  const save = async (values: OrderFormValues) => {
    const read = readTerms(values)
    if (!read.ok) return
    if (base === null) {
      await create.mutateAsync({
        ...read.terms,
        active: values.active,
        member_user_id: values.member_user_id,
      })
      toast.success('Order created')
    } else {
      const changes = {
        ...changedTerms(values, editOrderValues(base)),
        ...(values.member_user_id !== base.member_user_id && { member_user_id: values.member_user_id }),
      }
      if (Object.keys(changes).length > 0) {
        const saved = await change.mutateAsync({ ...changes, id: base.id, version: base.version })
        if (saved.outcome === 'overtaken') {
          takeOver(saved.conflict, Object.keys(changes))
          return
        }
      }
      toast.success('Order saved')
    }
    onSaved()
  }
  /** Updates untouched fields to the stored values; the others keep the typed text until the user chooses. */
  const takeOver = (met: OrderConflict, touched: readonly string[]) => {
    const theirs = editOrderValues(met.current)
    for (const field of Object.keys(theirs) as (keyof OrderFormValues)[]) {
      if (!touched.includes(field)) form.setValue(field, theirs[field], { shouldDirty: true })
    }
    setBase(met.current)
    setConflict(met)
  }
  const submit = async (values: OrderFormValues) => {
    try {
      await save(values)
    } catch (error) {
      toast.error('Failed to save the order')
      const faults = groupFaults(error instanceof ApiError ? error.errors : [])
      for (const { field, message } of faults) form.setError(field, { type: 'server', message })
      if (faults.length === 0) form.setError('root', { type: 'server', message: errorSentence(error) })
    }
  }

  return (
    <FormProvider {...form}>
      <form
        ref={element}
        id={formId}
        noValidate
        className="flex flex-col gap-7"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        {errors.root?.message !== undefined && <NotSaved reason={errors.root.message} />}
        {conflict !== null && (
          <ConflictNotice
            key={conflict.current.version}
            conflict={conflict}
            values={form.getValues()}
            onChoose={(field: OrderField, value) => form.setValue(field, value, { shouldDirty: true })}
          />
        )}
        <WantedFields types={types} target={base} />
        <StatesField />
        <div className="divide-y divide-line overflow-clip rounded-lg border border-line">
          <ScheduleField />
          <LimitFields />
          <AreaFields />
          <AgeFields />
          <MaxAgeField />
          <DateFields />
          <UndeliveredField />
        </div>
        {base === null && <ActiveField />}
      </form>
    </FormProvider>
  )
}

/** The submit button is far below, so the notice scrolls into view. */
function NotSaved({ reason }: { reason: string }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={notice} className="scroll-mt-5">
      <Banner tone="failure" urgent title="The order was not saved">
        {reason}
      </Banner>
    </div>
  )
}
