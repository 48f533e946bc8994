import { useQuery } from "@tanstack/react-query";
import type { ListModelsAnswer } from "@zoetrope/sdk/answers";
import { useAccount } from "../../app/session.tsx";
import { currentLanguage } from "../../i18n/language.ts";

export type Catalogue = ListModelsAnswer;
export type Model = Catalogue["models"][number];

/** The models with their forms in the language of the page. Read once a visit. */
export function useModels() {
  const { account, client } = useAccount();
  const language = currentLanguage();
  return useQuery({
    queryKey: [account.accountId, "models", language],
    queryFn: ({ signal }) =>
      client.request<Catalogue>({
        method: "GET",
        path: "/api/v1/models",
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
