import { Toast } from '@base-ui/react/toast'
import clsx from 'clsx'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { IconButton } from '../action/IconButton.tsx'
import { toastManager } from './toast.ts'

export function Toaster() {
  return (
    <Toast.Provider toastManager={toastManager}>
      <Toast.Portal>
        {/* What axe still finds while F6 has put the focus here are Base UI's focus guards, which pass it on at once. */}
        {/* At the top: the bottom is where dialogs have their buttons. */}
        <Toast.Viewport className="fixed top-3 right-4 left-4 z-60 mx-auto flex max-w-md flex-col gap-2 outline-none">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => {
    const failed = item.type === 'error'
    const Icon = failed ? CircleAlert : CircleCheck
    return (
      <Toast.Root
        key={item.id}
        toast={item}
        // Base UI says dialog, which it is not: it asks nothing and takes no focus. The viewport announces it.
        role="group"
        // Which only a dialog may say.
        aria-modal={undefined}
        className="rounded-lg bg-raised shadow-float transition-[opacity,transform] data-ending-style:-translate-y-2 data-ending-style:opacity-0 data-starting-style:-translate-y-2 data-starting-style:opacity-0"
      >
        <Toast.Content className="flex items-start gap-3 py-2 pr-2 pl-4">
          <Icon
            aria-hidden
            className={clsx('mt-1.5 size-4 shrink-0', failed ? 'text-failure' : 'text-success')}
          />
          <Toast.Description className="min-w-0 flex-1 py-1 text-sm break-words text-ink" />
          {/* Base UI hides it from screen readers while the toasts have neither hover nor focus, but not from the keyboard. */}
          <Toast.Close
            aria-hidden={undefined}
            render={<IconButton size="sm" label="Dismiss" icon={<X />} />}
          />
        </Toast.Content>
      </Toast.Root>
    )
  })
}
