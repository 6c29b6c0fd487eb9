import { useId, type ReactNode } from 'react'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'

export interface ChangeDialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  /** Label of the button, for example "Suspend". */
  submit: string
  danger?: boolean
  dirty?: boolean
  isBusy: boolean
  /** False while there is nothing to change. */
  canSubmit?: boolean
  failure?: string | undefined
  onSubmit: () => void
  children: ReactNode
}

/** Asks for the input that a change needs. */
export function ChangeDialog(props: ChangeDialogProps) {
  const {
    open,
    onClose,
    title,
    description,
    submit,
    danger = false,
    dirty = false,
    isBusy,
    failure,
    canSubmit = true,
  } = props
  const form = useId()
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title={title}
      {...(description !== undefined && { description })}
      size="sm"
      dirty={dirty}
      footer={
        <>
          <DialogClose>Cancel</DialogClose>
          <Button
            type="submit"
            form={form}
            variant={danger ? 'danger' : 'primary'}
            busy={isBusy}
            disabled={!canSubmit}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy && canSubmit) props.onSubmit()
        }}
      >
        {failure !== undefined && (
          <Banner tone="failure" urgent>
            {failure}
          </Banner>
        )}
        {props.children}
      </form>
    </Dialog>
  )
}
