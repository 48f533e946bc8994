import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { useAccount } from "../../app/session.tsx";
import type { Task } from "./item.ts";

/** The open task is named by the URL; a link may name one that the list has not loaded. */
export function useLightbox(openId: string, tasks: readonly Task[], isListed: boolean) {
  const { account, client } = useAccount();
  const navigate = useNavigate();
  const router = useRouter();
  const wasOpenedHere = useRef(false);
  const index = openId === "" ? -1 : tasks.findIndex(({ taskId }) => taskId === openId);
  const { data } = useQuery({
    queryKey: [account.accountId, "task", openId],
    queryFn: async ({ signal }) =>
      (await client.tasks.query([openId], { signal })).tasks[0] ?? null,
    enabled: openId !== "" && isListed && index < 0,
  });
  const go = useCallback(
    (taskId: string | undefined, replace: boolean) => {
      const search = (before: object) => ({ ...before, open: taskId });
      void navigate({ to: ".", search: search as never, replace, resetScroll: false });
    },
    [navigate],
  );
  const open = useCallback(
    (taskId: string) => {
      wasOpenedHere.current = true;
      go(taskId, false);
    },
    [go],
  );
  const close = () => {
    if (wasOpenedHere.current) router.history.back();
    else go(undefined, true);
    wasOpenedHere.current = false;
  };
  const stepTo = (to: number) => {
    const task = index < 0 ? undefined : tasks[to];
    return task === undefined ? null : () => go(task.taskId, true);
  };
  return {
    task: openId === "" ? undefined : (tasks[index] ?? data ?? undefined),
    index,
    open,
    close,
    before: stepTo(index - 1),
    after: stepTo(index + 1),
  };
}
