#!/bin/sh
# First program of the guest. One machine that is two hosts for those who log in: hosta (SSH on port 22, device rxe0)
# and hostb (SSH on port 2222, device rxe1), with host names and process lists of their own. rdma_rxe lives in the first
# network namespace only, so both share one network; a veth pair is the cable between the devices.
PATH=/usr/bin:/usr/sbin
export PATH
umask 022
fail() {
  echo "LAB failed: $*"
  sleep 1
  poweroff -f
}

mount -t proc proc /proc && mount -t sysfs sysfs /sys && mount -t devtmpfs devtmpfs /dev || fail mounts
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
for module in /modules/*.ko; do insmod "$module" || fail "insmod $module"; done
ulimit -l unlimited
hostname hosta

ip link set lo up
ip link set eth0 up && ip address add 10.0.2.15/24 dev eth0 || fail eth0
ip link add veth0 address 52:54:00:77:00:01 mtu 4200 type veth peer name veth1 address 52:54:00:77:00:02 mtu 4200 ||
  fail veth
ip address add 10.77.0.1/24 dev veth0
ip address add 10.77.0.2/24 dev veth1
ip link set veth0 up
ip link set veth1 up
# Without these the packets between two addresses of one machine take the loopback, where rxe has no device.
for name in all veth0 veth1; do
  echo 0 >"/proc/sys/net/ipv4/conf/$name/rp_filter"
  echo 1 >"/proc/sys/net/ipv4/conf/$name/accept_local"
  echo 1 >"/proc/sys/net/ipv4/conf/$name/arp_ignore"
  echo 2 >"/proc/sys/net/ipv4/conf/$name/arp_announce"
done
ip route add 10.77.0.2 dev veth0 src 10.77.0.1 table 101
ip route add 10.77.0.1 dev veth1 src 10.77.0.2 table 102
ip rule add pref 10 iif lo from 10.77.0.1 to 10.77.0.2 lookup 101
ip rule add pref 11 iif lo from 10.77.0.2 to 10.77.0.1 lookup 102
ip rule add pref 100 lookup local
ip rule del pref 0
rdma link add rxe0 type rxe netdev veth0 || fail rxe0
rdma link add rxe1 type rxe netdev veth1 || fail rxe1

mkdir -p /run/sshd
/usr/sbin/sshd -f /etc/ssh/hosta_config || fail sshd
unshare --uts --pid --fork --mount-proc /bin/sh -c '
  hostname hostb
  /usr/sbin/sshd -f /etc/ssh/hostb_config || exit 1
  echo "LAB ready"
  while :; do sleep 3600 & wait; done
' || fail hostb &
# The first process of all takes in orphans: `wait` clears them away.
while :; do
  sleep 3600 &
  wait
done
