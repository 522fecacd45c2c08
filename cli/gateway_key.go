package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func (a *App) gatewayKeyCommand(f *gatewayFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Make, list and revoke the API keys of a gateway",
		Example: `  pml gateway key create --scope acme.shop
  pml gateway key list
  pml gateway key revoke 1a2b3c4d`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.keyCreateCommand(f), a.keyListCommand(f), a.keyRevokeCommand(f))
	return cmd
}

func (a *App) keyCreateCommand(f *gatewayFlags) *cobra.Command {
	var scope string
	cmd := &cobra.Command{
		Use:   "create --scope ORG.PROJECT",
		Short: "Make a key; it is shown once, and only its hash is kept",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, store, err := a.gatewayStore(cmd, f)
			if err != nil {
				return err
			}
			defer store.Close()
			k, secret, err := store.CreateKey(cmd.Context(), scope)
			if err != nil {
				return usage(err.Error(), "for example --scope acme.shop")
			}
			fmt.Fprintf(a.Err, "key %s for %s; it is not shown again\n", k.ID, k.Scope)
			_, err = fmt.Fprintln(a.Out, secret)
			return err
		},
	}
	cmd.Flags().StringVar(&scope, "scope", "", "the tenant that the key belongs to: org.project")
	_ = cmd.MarkFlagRequired("scope")
	return cmd
}

func (a *App) keyListCommand(f *gatewayFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the keys, without the keys themselves",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, store, err := a.gatewayStore(cmd, f)
			if err != nil {
				return err
			}
			defer store.Close()
			keys, err := store.Keys(cmd.Context())
			if err != nil {
				return err
			}
			var c columns
			c.add("ID", "SCOPE", "CREATED", "STATE")
			for _, k := range keys {
				state := "valid"
				if !k.Revoked.IsZero() {
					state = "revoked " + k.Revoked.UTC().Format(time.RFC3339)
				}
				c.add(k.ID, k.Scope, k.Created.UTC().Format(time.RFC3339), state)
			}
			_, err = fmt.Fprint(a.Out, c.text(""))
			return err
		},
	}
}

func (a *App) keyRevokeCommand(f *gatewayFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Make a key invalid from now on",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, store, err := a.gatewayStore(cmd, f)
			if err != nil {
				return err
			}
			defer store.Close()
			switch was, err := store.RevokeKey(cmd.Context(), args[0]); {
			case err != nil:
				return err
			case !was:
				return usage(fmt.Sprintf("there is no valid key %q", args[0]), "pml gateway key list shows them")
			}
			fmt.Fprintf(a.Err, "key %s is revoked\n", args[0])
			return nil
		},
	}
}
