import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'

export interface KeyOnceDialogProps {
  title: string
  /** what to do with the key */
  advice: string
  /** Accessible name of the key. */
  label: string
  value: string
  onClose: () => void
}

/** Shows a new key, which nobody can read again afterwards. */
export function KeyOnceDialog({ title, advice, label, value, onClose }: KeyOnceDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={title}
      description={`It is shown only once. ${advice}`}
      size="sm"
      outsideDismisses={false}
      footer={<DialogClose>Done</DialogClose>}
    >
      <CodeBlock label={label} code={value} />
    </Dialog>
  )
}
